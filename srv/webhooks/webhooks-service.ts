import cds from '@sap/cds'
import { findDelivery, listDeliveries, replay } from './deliveries.ts'
import { add, change, find, list, remove, rotate } from './manage.ts'
import { resealAtStart } from './secrets.ts'
import { withData } from '../with-data.ts'

export default class WebhooksService extends cds.ApplicationService {
  override async init() {
    this.on('list', withData(list))
    this.on(
      'find',
      withData(({ ID }: { ID: number }) => find(ID)),
    )
    this.on('add', withData(add))
    this.on('change', withData(change))
    this.on(
      'remove',
      withData(({ ID }: { ID: number }) => remove(ID)),
    )
    this.on(
      'rotate',
      withData(({ ID }: { ID: number }) => rotate(ID)),
    )
    this.on('deliveries', withData(listDeliveries))
    this.on(
      'delivery',
      withData(({ ID, event }: { ID: number; event: string }) => findDelivery(ID, event)),
    )
    this.on('replay', withData(replay))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
