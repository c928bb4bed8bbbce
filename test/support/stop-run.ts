import { rm } from 'node:fs/promises'

export default async function stopRun() {
  await rm(process.env.TEST_RUN_FOLDER!, { recursive: true, force: true })
}
