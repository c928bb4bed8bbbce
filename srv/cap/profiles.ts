// CAP's profiles, from NODE_ENV and CDS_ENV. CAP adds `development` wherever `production` is not among them.
import cds from '@sap/cds'

/** Profiles in which nothing but this machine is served. Those of databases say nothing about safety. */
const HARMLESS = ['development', 'test', 'sqlite', 'postgres', 'hana']

/** Names that are neither development nor test, such as `staging` or `Production`. */
export const otherProfiles = () => cds.env.profiles.filter((name) => !HARMLESS.includes(name))

/** Whether this is production as to safety: whatever is not plainly development or test. */
export const isProduction = () => otherProfiles().length > 0
