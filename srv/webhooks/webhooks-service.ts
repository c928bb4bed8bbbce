import cds from '@sap/cds'
import { findDelivery, listDeliveries, replay } from './deliveries.ts'
import { add, change, find, list, remove, rotate } from './manage.ts'
import { resealAtStart } from './secrets.ts'

export default class WebhooksService extends cds.ApplicationService {
  override async init() {
    this.on('list', ({ data }) => list(data))
    this.on('find', ({ data }) => find(data.ID))
    this.on('add', ({ data }) => add(data))
    this.on('change', ({ data }) => change(data))
    this.on('remove', ({ data }) => remove(data.ID))
    this.on('rotate', ({ data }) => rotate(data.ID))
    this.on('deliveries', ({ data }) => listDeliveries(data))
    this.on('delivery', ({ data }) => findDelivery(data.ID, data.event))
    this.on('replay', ({ data }) => replay(data))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
