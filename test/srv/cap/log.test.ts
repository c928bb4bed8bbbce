import cds from '@sap/cds'
import { useWinston } from '../../../srv/cap/log.ts'

const written: string[] = []
const write = process.stdout.write.bind(process.stdout)

beforeAll(() => {
  ;(console as unknown as { _stdout: unknown })._stdout = {
    write: (text: string) => written.push(String(text)),
  }
  useWinston()
})
afterAll(() => {
  ;(console as unknown as { _stdout: unknown })._stdout = { write }
})

it('writes at the level of each logger, whichever was made first', async () => {
  const quiet = cds.log('log-test-quiet', 'warn')
  const usual = cds.log('log-test-usual')
  quiet.info('not this')
  quiet.warn('this')
  usual.info('and that')
  usual.debug('nor this')
  await new Promise((resolve) => setImmediate(resolve))
  expect(written.map((line) => line.trim())).toEqual([
    'WARN [log-test-quiet] this',
    '[log-test-usual] and that',
  ])
})
