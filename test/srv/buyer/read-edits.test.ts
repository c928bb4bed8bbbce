// Quantities that were changed in the exported list, read back from its workbook.
import cds from '@sap/cds'
import type { FormTable } from '../../../adapters/order-form.ts'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { fileOf } from '../../../srv/domain/proposals/handover/files.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { decide, odata, read } from './odata.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('buyer-edits', 6)
})

type Cell = string | number | null

/** A workbook as the list exports it. */
function workbook(rows: Cell[][], header = ['Proposal', 'SKU', 'Quantity', 'Version']): string {
  const kinds: FormTable['kinds'] = header.map((_, at) => (at > 1 ? 'number' : 'text'))
  const table = {
    name: 'Proposals',
    header: [header],
    kinds,
    rows: rows.map((row) => row.map(String)),
  }
  const wish = { format: 'xlsx', dayFormat: 'YYYY-MM-DD' } as const
  return fileOf([table], {} as never, wish).toString('base64')
}

interface Answer {
  unchanged: number
  edits: { fault: string | null }[]
  error: { target: string; message: string }
}

async function readEdits(file: string, as = 'buyer') {
  const { status, json } = await odata('POST', 'readEdits' as 'Proposals', { as, body: { file } })
  return { status, json: json as unknown as Answer }
}

async function take() {
  const ID = shop.take()
  const row = (await SELECT.one.from(Proposals).where({ ID }))!
  return { ID, quantity: Number(row.quantity), version: Number(row.version) }
}

it('says what would change, and changes and approves nothing', async () => {
  const [same, other] = [await take(), await take()]
  const file = workbook([
    [`prop_${same.ID}`, 'A', same.quantity, same.version],
    [`prop_${other.ID}`, 'B', other.quantity + 10, other.version],
  ])
  const { json } = await readEdits(file)
  expect(json).toMatchObject({
    unchanged: 1,
    edits: [
      {
        ...{
          ID: other.ID,
          number: `prop_${other.ID}`,
          before: String(other.quantity),
          fault: null,
        },
        ...{ quantity: String(other.quantity + 10), version: other.version },
      },
    ],
  })
  for (const { ID, quantity } of [same, other]) {
    const now = (await read(`Proposals(${ID})`)).json
    expect(now).toMatchObject({ status: 'pending', quantity: String(quantity) })
  }
})

it('tells rows apart that have changed since, are decided, gone, or of no version', async () => {
  const [moved, decided, unknown] = [await take(), await take(), await take()]
  await UPDATE.entity(Proposals)
    .set({ version: moved.version + 1 })
    .where({ ID: moved.ID })
  await decide(decided.ID, 'approve', {})
  const rows = [
    [`prop_${moved.ID}`, 'A', 999, moved.version],
    [`prop_${decided.ID}`, 'B', 999, decided.version],
    ['prop_99999999', 'C', 999, 1],
    [`prop_${unknown.ID}`, 'D', 999, ''],
  ]
  const { json } = await readEdits(workbook(rows, ['Vorschlag', 'SKU', 'Menge', 'Version']))
  const faults = json.edits.map(({ fault }) => fault)
  expect(faults).toEqual([
    'The proposal has changed since the file was exported.',
    'It is decided already.',
    expect.stringMatching(/does not exist/),
    expect.stringMatching(/^The file does not say as which version/),
  ])
})

it.each([
  [Buffer.from('no workbook').toString('base64'), 'This is no workbook (.xlsx).'],
  ['', 'This is no workbook (.xlsx).'],
  [workbook([['4711', 'A', 5, 1]]), /no column with the numbers of proposals/],
  [
    workbook([['prop_1', 'A', 5, 1]], ['Proposal', 'SKU', 'Units', 'Version']),
    /no column with quantities/,
  ],
  [
    workbook(Array.from({ length: 1001 }, (_, at) => [`prop_${at + 1}`, 'A', 5, 1])),
    'At most 1,000 proposals can be read back at once.',
  ],
])('refuses a file that is none of ours', async (file, text) => {
  const { status, json } = await readEdits(file)
  expect([status, json.error.target]).toEqual([400, 'file'])
  expect(json.error.message).toMatch(text)
})

it('is for those who decide', async () => {
  expect((await readEdits('', 'viewer')).status).toBe(403)
})
