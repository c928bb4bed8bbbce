// CAP's profiles, from NODE_ENV and CDS_ENV. CAP adds `development` wherever `production` is not among them.
import cds from '@sap/cds'
import { harmfulProfiles } from '../profile-names.ts'

/** Names that are neither development nor test, such as `staging` or `Production`. */
export const otherProfiles = () => harmfulProfiles(cds.env.profiles)

/** Whether this is production as to safety: whatever is not plainly development or test. */
export const isProduction = () => otherProfiles().length > 0
