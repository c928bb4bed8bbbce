// A shop with two SKUs, of which one falls short.
import { PairInputs } from '../../../srv/base/database/entities.ts'
import { daysAgo, steadyDemand } from '../../support/server.ts'
import cds from '@sap/cds'

export const MASTER = {
  'items.csv':
    'sku,name,unit,supplier,unit_cost,currency\nA,Apple,PC,S-1,1.50,EUR\nB,Bread,PC,S-1,2,EUR\n',
  'locations.csv': 'location,name\nL1,Shop\n',
  'stock.csv': 'sku,location,on_hand\nA,L1,0\nB,L1,5\n',
  'planning.csv': 'sku,location,lead_time_days,moq,lot_size\nA,L1,7,10,5\nB,L1,7,1,1\n',
  'open_orders.csv': `order,line,sku,location,quantity,due\n4500,10,A,L1,6,${daysAgo(-3)}\n`,
}
export const files = () => ({ ...MASTER, 'demand.csv': steadyDemand(['A', 'B']) })

export const pairs = (source: number) =>
  cds.ql.SELECT.from(PairInputs).where({ source_ID: source }).orderBy('sku')
