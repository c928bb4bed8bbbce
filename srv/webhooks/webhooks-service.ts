import cds from '@sap/cds'
import { findDelivery, listDeliveries, replayDelivery } from './deliveries.ts'
import {
  addWebhook,
  changeWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from './manage.ts'
import { resealAtStart } from './secrets.ts'
import { withData } from '../with-data.ts'

export default class WebhooksService extends cds.ApplicationService {
  override async init() {
    this.on('list', withData(listWebhooks))
    this.on(
      'find',
      withData(({ ID }: { ID: number }) => findWebhook(ID)),
    )
    this.on('add', withData(addWebhook))
    this.on('change', withData(changeWebhook))
    this.on(
      'remove',
      withData(({ ID }: { ID: number }) => removeWebhook(ID)),
    )
    this.on(
      'rotate',
      withData(({ ID }: { ID: number }) => rotateSecret(ID)),
    )
    this.on('deliveries', withData(listDeliveries))
    this.on(
      'delivery',
      withData(({ ID, event }: { ID: number; event: string }) => findDelivery(ID, event)),
    )
    this.on('replay', withData(replayDelivery))
    cds.once('listening', () => void resealAtStart())
    return super.init()
  }
}
