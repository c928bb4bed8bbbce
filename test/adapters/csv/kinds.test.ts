import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { readAll, streamOf } from '../../conformance/adapter.ts'
import { temporaryRoot } from './files.ts'

const { adapter, connect, put } = temporaryRoot()
const AS_WRITTEN = { notFor: 'files hold what was exported' }

it('takes an agreed value of contracts alone', async () => {
  const rows = ['1,1,A,,contract,0,5000', '2,1,A,L,requisition,3,5000', '3,1,A,L,requisition,3,']
  const account = put({
    'drafts.csv': ['document,line,sku,location,kind,quantity,agreed_value', ...rows].join('\n'),
  })
  const pages = await readAll(streamOf(adapter, connect(account), 'drafts'))
  expect(pages.flatMap(({ records }) => records)).toMatchObject([
    { document: '1', quantity: 0, agreedValue: expect.stringMatching(/^5000/) },
    { document: '3', agreedValue: null },
  ])
  expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
    { target: 'agreed_value', message: expect.stringContaining('contract') },
  ])
})

kindsConformance(adapter, {
  missing: async () => ({ connection: connect('no-such-folder'), target: 'account' }),
  severalCompanies: { notFor: 'a folder is a source' },
  ...{ kits: AS_WRITTEN, codeReused: AS_WRITTEN, supplierOrder: AS_WRITTEN, rounding: AS_WRITTEN },
  codeTwice: async () => ({
    connection: connect(put({ 'items.csv': 'sku,name\nA,Apple\nA,Avocado\n' })),
    sku: 'A',
  }),
  orderPrice: async () => ({
    connection: connect(
      put({
        'items.csv': 'sku,unit_cost,currency\nA,2,EUR\n',
        'open_orders.csv': 'order,line,sku,location,quantity,unit_cost\nPO-1,1,A,L,12,1.8\n',
      }),
    ),
    document: 'PO-1',
  }),
  confirmation: async () => ({
    connection: connect(
      put({
        'open_orders.csv':
          'order,line,sku,location,quantity,due,confirmed_on,confirmed_quantity\n' +
          'PO-1,1,A,L,12,2027-03-10,2027-03-20,8\nPO-2,1,A,L,12,2027-03-10,,\n',
      }),
    ),
    ...{ document: 'PO-1', unconfirmed: 'PO-2' },
    line: { quantity: 12, due: '2027-03-10', confirmedOn: '2027-03-20', confirmedQuantity: 8 },
  }),
  codeChanged: { notFor: 'a file knows a SKU by its code alone' },
  refusedList: { notFor: 'drafts are one file' },
})
