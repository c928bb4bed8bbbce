// Runs the tests once and ends with their count alone on the last line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface Report {
  testResults: {
    status: string
    assertionResults: { status: string; fullName: string; invocations?: number }[]
  }[]
}

const folder = mkdtempSync(path.join(tmpdir(), 'restock-tests-'))
const report = path.join(folder, 'report.json')

/** Runs an npm script of tests. @returns what became of each file; one that runs on two databases is there twice */
function run(script: string, ...paths: string[]) {
  const args = ['run', script, '--', '--ci', '--json', `--outputFile=${report}`, ...paths]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(report)
  if (status && testResults.every((file) => file.status !== 'failed')) {
    throw new Error(`npm run ${script} ended with ${status}.`)
  }
  return testResults
}

// Of the apps what a buyer and an administrator do; `npm run test:ui` runs all, which takes longer than there is time for.
const files = [
  ...run('test'),
  ...run('test:ui', 'test/ui/(admin|buyer|exceptions|today|workbench)'),
]
rmSync(folder, { recursive: true })

const tests = files.flatMap(({ assertionResults }) => assertionResults)
const count = (wanted: string) => tests.filter(({ status }) => status === wanted).length
/** Files that failed without a failed test of their own, such as those that could not be loaded. */
const brokenFiles = files.filter(
  ({ status, assertionResults: own }) =>
    status === 'failed' && !own.some((test) => test.status === 'failed'),
)
for (const { status, fullName, invocations = 1 } of tests) {
  if (status === 'passed' && invocations > 1) {
    process.stdout.write(`passed at the second try alone: ${fullName}\n`)
  }
}
const [passed, skipped] = [count('passed'), count('pending')]
const failed = count('failed') + brokenFiles.length
process.stdout.write(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`)
process.exitCode = failed || !passed ? 1 : 0
