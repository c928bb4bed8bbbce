import path from 'node:path'

const {
  NODE_OPTIONS: _o,
  JEST_WORKER_ID: _j,
  NODE_ENV: _e,
  CDS_TYPESCRIPT: _t,
  ...inherited
} = process.env

/** The environment in which a release is built and runs: nothing of the tests, and Node as the tests have it. */
export const RELEASE_ENVIRONMENT = {
  ...inherited,
  PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
}
