import cds, { type Request } from '@sap/cds'
import { findDelivery, listDeliveries, replayDelivery } from './manage.ts'
import {
  addWebhook,
  changeWebhook,
  findWebhook,
  type ListQuery,
  listWebhooks,
  removeWebhook,
  rotateSecret,
} from './manage.ts'
import { assertOwn, onlyOwner, rememberOwner } from './manage.ts'
import { resealAtStart } from './secrets.ts'
import { withData, withID } from '../../base/cap/context.ts'

export default class WebhooksService extends cds.ApplicationService {
  override async init() {
    this.before(
      ['find', 'change', 'remove', 'rotate', 'deliveries', 'delivery', 'replay'],
      assertOwn,
    )
    this.before('add', rememberOwner)
    this.on('list', (req: Request<ListQuery>) => listWebhooks(req.data, onlyOwner(req)))
    this.on('find', withID(findWebhook))
    this.on('add', withData(addWebhook))
    this.on('change', withData(changeWebhook))
    this.on('remove', withID(removeWebhook))
    this.on('rotate', withID(rotateSecret))
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
