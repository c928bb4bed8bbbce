// Runs the tests and ends with their count. Some hundred files share the machine with databases and
// browsers: where one or two fail, they are run once more, alone. What passes then is named as unsteady:
// a fault to be mended all the same.
import { spawnSync } from 'node:child_process'
import console from 'node:console'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Where more files fail, it is not for want of quiet. */
const MOST_UNSTEADY = 2

const folder = mkdtempSync(path.join(tmpdir(), 'restock-tests-'))

/** What became of each file; one that runs on two databases is there twice. */
function run(...options) {
  const report = path.join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = ['test', '--', '--ci', '--json', `--outputFile=${report}`, ...options]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  if (status && !failedFiles(testResults).size) throw new Error(`npm test ended with ${status}.`)
  return testResults
}

const failedFiles = (results) =>
  new Set(results.filter(({ status }) => status === 'failed').map(({ name }) => name))

function count(results) {
  const tests = results.flatMap(({ assertionResults }) => assertionResults)
  const of = (wanted) => tests.filter(({ status }) => status === wanted).length
  const broken = results.filter(
    ({ status, assertionResults: own }) =>
      status === 'failed' && !own.some((test) => test.status === 'failed'),
  )
  return { passed: of('passed'), failed: of('failed') + broken.length, skipped: of('pending') }
}

let results = run()
const failed = failedFiles(results)
if (failed.size && failed.size <= MOST_UNSTEADY) {
  console.log(`\nOnce more, alone:\n${[...failed].join('\n')}\n`)
  const again = run('--runInBand', '--runTestsByPath', ...failed)
  const still = failedFiles(again)
  for (const file of failed) if (!still.has(file)) console.log(`UNSTEADY: ${file}`)
  results = [...results.filter(({ name }) => !failed.has(name)), ...again]
}
rmSync(folder, { recursive: true })

const { passed, failed: faults, skipped } = count(results)
console.log(`${passed} passed, ${faults} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = faults || !passed ? 1 : 0
