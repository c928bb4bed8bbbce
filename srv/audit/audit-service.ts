import cds, { type Request } from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { listTrail, type Page } from './list.ts'
import { seal } from './seal.ts'
import { type ExpectedHead, verify } from './verify.ts'

export default class AuditService extends cds.ApplicationService {
  override async init() {
    this.on('seal', () => runDetached('audit', seal))
    this.on('verify', ({ data }: Request<{ expected?: ExpectedHead | null }>) =>
      runDetached('audit', async () => {
        await seal().catch((error) => cds.log('audit').error('Sealing failed:', error))
        return verify(data.expected ?? null)
      }),
    )
    this.on('list', ({ data, user }: Request<Page>) => listTrail(data, user))
    return super.init()
  }
}
