import cds from '@sap/cds'
import { Forecasts, ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { firstSeries, writePairs } from '../../../bench/proposals/pairs.ts'
import { proposalsAs } from '../../support/buyer.ts'
import '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const PAIRS = 2_200
const BREAKS_AT = 1_600
const [BROKEN, WHOLE] = [1, 2]

beforeAll(async () => {
  await writePairs(PAIRS, BROKEN)
  await writePairs(PAIRS, WHOLE)
})

const refresh = (source: number) => proposalsAs({}, 'refresh', { source, sync: null })

/** Pair, quantity, version and status of each proposal of a source. */
const proposals = async (source: number) =>
  (await SELECT.from(Proposals).where({ source_ID: source }).orderBy('series', 'ID')).map(
    ({ series, quantity, version, status }) => ({
      ...{ pair: Number(series) - firstSeries(source), quantity, version, status },
    }),
  )

it('a run that breaks off between two chunks, and is repeated, gives the same proposals', async () => {
  const series = firstSeries(BROKEN) + BREAKS_AT
  const { model } = (await SELECT.one.from(Forecasts).where({ series }))!
  const setModel = (text: string) => UPDATE.entity(Forecasts).set({ model: text }).where({ series })
  await setModel('{')
  await expect(refresh(BROKEN)).rejects.toThrow()
  const part = await proposals(BROKEN)
  expect(part.length).toBeGreaterThan(0)
  expect(part.some(({ pair }) => pair === BREAKS_AT)).toBe(false)

  await setModel(model!)
  await refresh(BROKEN)
  await refresh(WHOLE)
  const repeated = await proposals(BROKEN)
  expect(repeated.length).toBeGreaterThan(part.length)
  expect(repeated).toEqual(await proposals(WHOLE))
  expect(await SELECT.from(ProposalEvents)).toHaveLength(2 * repeated.length)
})
