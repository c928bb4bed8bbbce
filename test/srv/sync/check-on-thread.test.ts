// Files are checked on the reading thread, whoever asks: connecting, testing, checking again, other options.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readingPool } from '../../../srv/domain/sync/reading/source-reader.ts'
import { temporaryFolder } from '../../support/configure.ts'
import { errorOf, post } from '../v1/api.ts'

const wish = (account: string) => ({ type: 'csv', account, role: 'reader' })

function folderWith(account: string, demand: string) {
  mkdirSync(path.join(temporaryFolder, account), { recursive: true })
  writeFileSync(path.join(temporaryFolder, account, 'demand.csv'), demand)
}

/** How many tasks the reading thread has done meanwhile. */
async function doneBy(work: () => Promise<unknown>) {
  const before = readingPool().completed
  await work()
  return readingPool().completed - before
}

it('a source is looked at on the reading thread when it is connected and whenever it is checked', async () => {
  folderWith('good', 'sku,location,date,quantity\nA-1,L1,2026-01-01,4\n')
  let id = ''
  const connected = await doneBy(async () => {
    const { status, json } = await post('/sources', wish('good'))
    expect(status).toBe(201)
    expect(json.streams.find(({ stream }) => stream === 'demand')).toMatchObject({
      preview: ['A-1 at L1, 2026-01-01, 4 units'],
    })
    id = json.id
  })
  expect(connected).toBe(1)
  expect(await doneBy(() => post(`/sources/${id as 'src_1'}/check`))).toBe(1)
})

it('a file of stray quotes is told at once by what mends it', async () => {
  folderWith('quotes', `sku,location,date,quantity\n${'"\n'.repeat(4_000_000)}`)
  const { status, json } = await post('/sources', wish('quotes'))
  expect(status).toBe(201)
  const demand = json.streams.find(({ stream }) => stream === 'demand')
  expect(demand).toMatchObject({ status: 'failed' })
  expect(demand!.message).toContain(
    'demand.csv, line 2: 500 of the first 500 rows cannot be read, this is the first: A quote is opened and not closed',
  )
})

it('what a check throws comes back from the thread as it was', async () => {
  expect(errorOf(await post('/sources', wish('../outside')))).toMatchObject({ status: 400 })
})
