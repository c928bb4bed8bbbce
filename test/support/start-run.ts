import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Makes the folder for what the test files of one run share; several projects of a run have one. */
export default async function startRun() {
  process.env.TEST_RUN_FOLDER ??= await mkdtemp(path.join(os.tmpdir(), 'restock-run-'))
}
