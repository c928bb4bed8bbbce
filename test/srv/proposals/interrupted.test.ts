import cds from '@sap/cds'
import { SOURCE, writePairs } from '../../../bench/proposals/pairs.ts'
import { proposalsAs } from '../../support/buyer.ts'
import '../../support/server.ts'

const { DELETE, SELECT, UPDATE } = cds.ql

const PAIRS = 1600
const BREAKS_AT = 1200

beforeAll(() => writePairs(PAIRS))

const refresh = () => proposalsAs({}, 'refresh', { source: SOURCE, sync: null })

interface State {
  series: number
  quantity: unknown
  version: number
  status: string
  openKey: string
}

const proposals = async (): Promise<State[]> =>
  (await SELECT.from('restock.Proposals').orderBy('series', 'ID')).map(
    ({ series, quantity, version, status, openKey }: State) => ({
      ...{ series, quantity, version, status, openKey },
    }),
  )

const events = async () =>
  Number((await SELECT.one.from('restock.ProposalEvents').columns('count(*) as total')).total)

it('a run that breaks off between two chunks, and is repeated, gives the same proposals', async () => {
  const { model } = await SELECT.one.from('restock.Forecasts').where({ series: BREAKS_AT })
  const setModel = (text: string) =>
    UPDATE.entity('restock.Forecasts').set({ model: text }).where({ series: BREAKS_AT })
  await setModel('{')
  await expect(refresh()).rejects.toThrow()
  const part = await proposals()
  expect(part.length).toBeGreaterThan(0)
  expect(part.every(({ series }) => Number(series) < BREAKS_AT)).toBe(true)
  await setModel(model)
  await refresh()
  const repeated = await proposals()
  expect(repeated.length).toBeGreaterThan(part.length)
  expect(await events()).toBe(repeated.length)

  await DELETE.from('restock.Proposals')
  await DELETE.from('restock.ProposalEvents')
  await refresh()
  expect(await proposals()).toEqual(repeated)
})
