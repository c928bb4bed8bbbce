import { adapterConformance } from '../../conformance/adapter.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { adapter, connect, put } = temporaryRoot()

const DAYS = Array.from({ length: 2_500 }, (_, day) =>
  new Date(Date.UTC(2019, 0, 1 + day)).toISOString().slice(0, 10),
)
const DEMAND = demandFile(
  ...['A', 'B', 'C', 'D', 'E'].flatMap((sku) => DAYS.map((day, i) => `${sku},L1,${day},${i % 7}`)),
)
const HEALTHY = {
  'items.csv': 'sku,name,unit,supplier,unit_cost,currency\nA,Apple,kg,S1,1.20,EUR\nB,Bread,,,,\n',
  'locations.csv': 'location,name\nL1,Here\nL2,There\n',
  'stock.csv': 'sku,location,on_hand\nA,L1,5\nB,L1,0\n',
  'batches.csv': 'sku,location,batch,expires_on,quantity\nA,L1,B-1,2025-02-01,5\n',
  'stock_history.csv': 'sku,location,date,on_hand\nA,L1,2025-01-01,0\nA,L1,2025-01-02,4\n',
  'open_orders.csv': 'order,line,sku,location,quantity,due\n4500,10,A,L1,20,2025-02-01\n',
  'drafts.csv':
    'document,line,sku,location,kind,quantity,created_on\nPR-1,10,A,L1,requisition,20,2025-01-09\nC-1,10,A,,contract,500,\n',
  'customer_orders.csv':
    'order,line,sku,location,quantity,due\nSO-1,10,A,L1,3,2025-01-15\nSO-1,20,B,L1,1,\n',
  'reservations.csv': 'reservation,line,sku,location,quantity,due\nR-1,1,A,L1,3,2025-01-15\n',
  'receipts.csv': 'order,line,sku,location,received_on,quantity\n4400,10,A,L1,2025-01-09,20\n',
  'exchange_rates.csv': 'from,to,rate,valid_from\nUSD,EUR,0.92,2025-01-01\n',
  'erp_forecast.csv': 'sku,location,month,quantity\nA,L1,2025-02,80\nA,L1,2025-03,70\n',
  'plan.csv':
    'sku,location,from,to,kind,factor\nA,L1,2025-02-01,2025-02-07,promotion,\n,L1,2025-03-01,,closure,\n',
  'planning.csv': 'sku,location,lead_time_days,moq,lot_size\nA,L1,14,10,5\nB,L1,,,\n',
  'price_breaks.csv':
    'sku,from_quantity,unit_cost,location,supplier\nA,200,1.15,,\nA,600,1.1,L1,S1\n',
  'closures.csv':
    'supplier,location,from,to,working_days,country,reason\nS1,,2025-08-04,2025-08-24,,,Works\n,L1,,,1-6,,\n,L1,,,,DE,\n',
  'supplier_terms.csv':
    'supplier,location,minimum_order_value,free_freight_from,freight_cost\nS1,,500,1000,50\nS1,L1,200,,\n',
  'demand.csv': DEMAND,
}

adapterConformance({
  adapter,
  healthy: async () => connect(put(HEALTHY)),
  oneBadRow: async () => ({
    connection: connect(
      put({ ...HEALTHY, 'stock.csv': 'sku,location,on_hand\nA,L1,5\nB,L1,-1\n' }),
    ),
    record: 'stock',
  }),
  noRows: async () => ({
    connection: connect(put({ ...HEALTHY, 'stock.csv': 'sku,location,on_hand\n' })),
    record: 'stock',
  }),
  unreadable: async () => ({ connection: connect('no-such-folder'), code: 'folder_not_found' }),
  http: { notFor: 'it reads files' },
})
