import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { temporaryRoot } from './files.ts'

const { adapter, connect, put } = temporaryRoot()
const AS_WRITTEN = { notFor: 'files hold what was exported' }

kindsConformance(adapter, {
  missing: async () => ({ connection: connect('no-such-folder'), target: 'account' }),
  severalCompanies: { notFor: 'a folder is a source' },
  ...{ kits: AS_WRITTEN, codeReused: AS_WRITTEN, supplierOrder: AS_WRITTEN, rounding: AS_WRITTEN },
  codeTwice: async () => ({
    connection: connect(put({ 'items.csv': 'sku,name\nA,Apple\nA,Avocado\n' })),
    sku: 'A',
  }),
  codeChanged: { notFor: 'a file knows a SKU by its code alone' },
})
