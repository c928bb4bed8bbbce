// Runs the tests once and ends with their count alone on the last line.
import { spawnSync } from 'node:child_process'
import console from 'node:console'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const folder = mkdtempSync(path.join(tmpdir(), 'restock-tests-'))
const report = path.join(folder, 'report.json')
const args = ['test', '--', '--ci', '--json', `--outputFile=${report}`]
const { status } = spawnSync('npm', args, { stdio: 'inherit' })
const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
rmSync(folder, { recursive: true })

const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
const count = (wanted) => tests.filter((test) => test.status === wanted).length
/** Files that failed without a failed test of their own, such as those that could not be loaded. */
const brokenFiles = testResults.filter(
  (file) =>
    file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
)
const [passed, skipped] = [count('passed'), count('pending')]
const failed = count('failed') + brokenFiles.length
if (status && !failed) throw new Error(`npm test ended with ${status}.`)
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed || !passed ? 1 : 0
