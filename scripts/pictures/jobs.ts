import { ADMINS_JOBS } from './jobs/admin.ts'
import { BUYERS_JOBS } from './jobs/buyer.ts'

/** The jobs of docs/guides/jobs.md, in its order. */
export const JOBS = [...BUYERS_JOBS, ...ADMINS_JOBS]
