import cds, { type Request } from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { listTrail, type Page } from './list.ts'
import { sealEntries } from './seal.ts'
import { type ExpectedHead, verifyTrail } from './verify.ts'

export default class AuditService extends cds.ApplicationService {
  override async init() {
    this.on('seal', () => runDetached('audit', sealEntries))
    this.on('verify', ({ data }: Request<{ expected?: ExpectedHead | null }>) =>
      runDetached('audit', async () => {
        await sealEntries().catch((error) => cds.log('audit').error('Sealing failed:', error))
        return verifyTrail(data.expected ?? null)
      }),
    )
    this.on('list', ({ data, user }: Request<Page>) => listTrail(data, user))
    return super.init()
  }
}
