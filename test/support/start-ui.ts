import buildUi5 from './build-ui5.ts'
import startRun from './start-run.ts'

export default async function startUi() {
  startRun()
  await buildUi5()
}
