import { jest } from '@jest/globals'
import cds from '@sap/cds'
import '../../support/server.ts'
import { compareClocks } from '../../../srv/base/start/safe-start.ts'

const warnings = () => jest.spyOn(cds.log('restock'), 'warn').mockImplementation(() => {})
afterEach(() => jest.restoreAllMocks())

it('clocks that agree are not spoken of', async () => {
  const warned = warnings()
  await compareClocks()
  await compareClocks(() => Date.now() + 1_500)
  expect(warned).not.toHaveBeenCalled()
})

it('an answer that took long is no difference', async () => {
  const warned = warnings()
  let calls = 0
  await compareClocks(() => Date.now() + 8_000 * (calls++ - 0.5))
  expect(warned).not.toHaveBeenCalled()
})

const onPostgres = process.env.CDS_CONFIG!.includes('postgres') ? it : it.skip

onPostgres.each([
  [1, 'ahead of'],
  [-1, 'behind'],
])('a difference of %d minutes is told, with its direction', async (minutes, direction) => {
  const warned = warnings()
  await compareClocks(() => Date.now() + minutes * 60_000)
  const sentence = new RegExp(
    `^the clock of this machine is (59|60)(\\.\\d)? s ${direction} the database's: set both`,
  )
  expect(warned.mock.calls).toEqual([[expect.stringMatching(sentence)]])
})
