// SKUs that follow others take over their demand on the day on which these are phased out.
import cds from '@sap/cds'
import { Forecasts, Proposals, Series } from '../../../srv/base/database/entities.ts'
import { parseModel, predictDemand } from '../../../engine/index.ts'
import { linesOf, predicted } from '../../support/forecast-lines.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT } = cds.ql

const IN_DAYS = (days: number) => daysAgo(-days)
const SKUS = ['old', 'new', 'later', 'next', 'far', 'after', 'ring', 'round', 'stays']

let source: number

/** Each a SKU, the day on which it ends, and what follows. */
const ENDS = {
  old: [daysAgo(30), 'new'],
  later: [IN_DAYS(10), 'next'],
  far: [IN_DAYS(200), 'after'],
  ring: [daysAgo(5), 'round'],
  round: [daysAgo(2), 'ring'],
  stays: [daysAgo(1), 'unknown'],
} as Record<string, [string, string]>

const items = (ends = ENDS) =>
  `sku,name,phase_out_on,successor\n${SKUS.map((sku) => [sku, sku, ...(ends[sku] ?? ['', ''])].join()).join('\n')}\n`

const SOLD = ['old', 'later', 'far', 'ring', 'round', 'stays']

beforeAll(async () => {
  source = await connectFiles('successors', {
    'demand.csv': steadyDemand(SOLD),
    'items.csv': items(),
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,0`).join('\n')}\n`,
    'planning.csv': `sku,location,lead_time_days\n${SKUS.map((sku) => `${sku},L1,7`).join('\n')}\n`,
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', quarantined: 0 })
})

async function forecastOf(sku: string) {
  const series = await SELECT.one.from(Series).where({ source_ID: source, sku })
  const row = series && (await SELECT.one.from(Forecasts).where({ series: series.ID }))
  return row ? parseModel(row.model!) : null
}
const median = async (sku: string, horizon: number) =>
  predictDemand((await forecastOf(sku))!, horizon).p50

it('are forecast by what they follow, although nobody has asked for them yet', async () => {
  const [follower, followed] = [await median('new', 28), await median('old', 28)]
  expect(follower).toBeGreaterThan(0)
  expect(Math.abs(follower - followed)).toBeLessThanOrEqual(0.1 * followed)
  expect((await forecastOf('new'))!.drivers).toContain('predecessor')
})

it('are forecast as offline, whichever table says what follows', async () => {
  const notes =
    'unknown follows another SKU, and is named nowhere else: it is left out.\n' +
    'ring, round follow one another in a circle: none of them is asked for.\n'
  const lines = await linesOf(source)
  expect(lines).toEqual(await predicted('successors', [['--successors', 'items.csv']], notes))
  expect(lines.get('new,L1,28')).toContain('predecessor')
})

it('may have successors before anybody asked for them, and others at a location', async () => {
  const planning = [`first,L2,,${IN_DAYS(20)},other`, `second,L1,,${IN_DAYS(3)},third`]
  const chain = await connectFiles('chain', {
    'demand.csv': `${steadyDemand(['first'])}${steadyDemand(['first']).split('\n').slice(1).join('\n').replaceAll(',L1,', ',L2,')}`,
    'items.csv': `sku,phase_out_on,successor\nfirst,${daysAgo(9)},second\nsecond,,\nthird,,\nother,,\n`,
    'planning.csv': `sku,location,lead_time_days,phase_out_on,successor\n${planning.join('\n')}\n`,
  })
  expect(await sync(chain, 'full')).toMatchObject({ quarantined: 0 })
  const lines = await linesOf(chain)
  const files: [string, string][] = [
    ['--successors', 'items.csv'],
    ['--successors', 'planning.csv'],
  ]
  expect(lines).toEqual(await predicted('chain', files))
  expect(lines.get('third,L1,28')).toMatch(/^\d+,[1-9]/)
  expect(lines.get('other,L2,28')).toContain('predecessor')
  expect(lines.has('second,L2,28')).toBe(false)
})

it('are named by planning alone, where there are no items', async () => {
  const ends = IN_DAYS(10)
  const planning = [`first,L1,7,${ends},second`, 'second,L1,7,,', `third,L1,7,${ends},unknown`]
  const alone = await connectFiles('by_planning', {
    'demand.csv': steadyDemand(['first', 'third']),
    'planning.csv': `sku,location,lead_time_days,phase_out_on,successor\n${planning.join('\n')}\n`,
  })
  expect(await sync(alone, 'full')).toMatchObject({ quarantined: 0 })
  const lines = await linesOf(alone)
  expect(lines.get('second,L1,28')).toContain('predecessor')
  expect(lines.has('unknown,L1,28')).toBe(false)
})

it('have no demand before the day on which they take over', async () => {
  expect(await median('next', 10)).toBe(0)
  const [since, before] = [await median('next', 38), await median('later', 28)]
  expect(Math.abs(since - before)).toBeLessThanOrEqual(0.1 * before)
})

it('have their own demand alone before that day, where somebody asks for them already', async () => {
  const both = await connectFiles('overlap', {
    'demand.csv': `${steadyDemand(['ends'])}${steadyDemand(['rises'], { quantity: 2 }).split('\n').slice(1).join('\n')}`,
    'items.csv': `sku,phase_out_on,successor\nends,${IN_DAYS(20)},rises\nrises,,\n`,
  })
  const ending = async (day: string) => {
    await writeFiles('overlap', {
      'items.csv': `sku,phase_out_on,successor\nends,${day},rises\nrises,,\n`,
    })
    await sync(both, 'full')
    const lines = await linesOf(both)
    expect(lines).toEqual(await predicted('overlap', [['--successors', 'items.csv']]))
    return Number(lines.get('rises,L1,28')!.split(',')[1])
  }
  expect(Math.abs((await ending(IN_DAYS(20))) - (20 * 2 + 8 * 6))).toBeLessThanOrEqual(4)
  expect(Math.abs((await ending(IN_DAYS(10))) - (10 * 2 + 18 * 6))).toBeLessThanOrEqual(6)
})

it('do not take over what is counted in another unit, and a note says so', async () => {
  const items = ['pc,PC', 'box,BOX', 'small,pc', 'bare,'].map((item, at) =>
    at ? `${item},,` : `${item},${daysAgo(5)},box`,
  )
  const units = await connectFiles('units', {
    'demand.csv': steadyDemand(['pc', 'other']),
    'items.csv': `sku,unit,phase_out_on,successor\n${items.join('\n')}\n`,
    'planning.csv': 'sku,location,lead_time_days\nbox,L1,7\n',
  })
  const { notes } = await sync(units)
  const message = 'box is in BOX and follows pc, which is in PC.'
  expect(notes).toMatchObject([{ code: 'successor_unit', key: 'box', message }])
  expect((await linesOf(units)).has('box,L1,28')).toBe(false)
  const told = 'box is in BOX and follows pc, which is in PC: it does not take over its demand.\n'
  expect(await linesOf(units)).toEqual(
    await predicted('units', [['--successors', 'items.csv']], told),
  )
  for (const successor of ['small', 'bare']) {
    const file = items.join('\n').replace(',box', `,${successor}`)
    await writeFiles('units', { 'items.csv': `sku,unit,phase_out_on,successor\n${file}\n` })
    expect(await sync(units)).toMatchObject({ notes: [] })
    expect((await linesOf(units)).get(`${successor},L1,28`)).toContain('predecessor')
  }
})

it('are proposed', async () => {
  const rows = await SELECT.from(Proposals)
    .columns('sku')
    .where({ source_ID: source, status: 'pending' })
  expect(rows.map(({ sku }) => sku).sort()).toEqual(['far', 'later', 'new', 'next'])
})

it('wait where the end is far off, and where nobody knows the SKU', async () => {
  expect(await forecastOf('after')).toBeNull()
  expect(await forecastOf('unknown')).toBeNull()
})

it('are noted where they follow one another in a circle, of which nothing is left', async () => {
  const { notes } = await sync(source)
  const message = `ring, round follow one another in a circle: from ${daysAgo(2)} on none of them is asked for.`
  expect(notes).toMatchObject([{ code: 'successor_circle', stream: 'skus', key: 'ring', message }])
})

it('add up where master data go round in a circle', async () => {
  expect(await median('ring', 28)).toBe(await median('round', 28))
})

it('follow new demand of the predecessor', async () => {
  const before = await median('new', 28)
  await writeFiles('successors', { 'demand.csv': steadyDemand(SOLD, { quantity: 8 }) })
  await sync(source)
  expect((await forecastOf('new'))!.asOf).toBe((await forecastOf('old'))!.asOf)
  expect(await median('new', 28)).toBeGreaterThan(1.5 * before)
})

it('give back what they took over by mistake', async () => {
  const { old: _, ...others } = ENDS
  await writeFiles('successors', { 'items.csv': items(others) })
  await sync(source)
  expect(await SELECT.from(Series).where({ source_ID: source, sku: 'new' })).toEqual([])
  const pending = { source_ID: source, sku: 'new', status: 'pending' }
  expect(await SELECT.from(Proposals).where(pending)).toEqual([])
})
