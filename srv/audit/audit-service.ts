import cds, { type Request } from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { listTrail, type Page } from './list.ts'
import { prepareHead } from './head.ts'
import { redactEntries, type Redaction } from './redact.ts'
import { sealEntries } from './seal.ts'
import { type VerifyQuery, verifyTrail } from './verify.ts'

export default class AuditService extends cds.ApplicationService {
  override async init() {
    this.on('seal', () => runDetached('audit', sealEntries))
    this.on('verify', ({ data }: Request<VerifyQuery>) =>
      runDetached('audit', async () => {
        await prepareAndSeal().catch(logFailure)
        return verifyTrail(data)
      }),
    )
    this.on('redact', ({ data }: Request<Redaction>) => redactEntries(data))
    this.on('list', ({ data, user }: Request<Page>) => listTrail(data, user))
    // After a change of the key ring nothing waits for the former key.
    cds.once('listening', () => void runDetached('audit', prepareHead).catch(logFailure))
    return super.init()
  }
}

async function prepareAndSeal() {
  await prepareHead()
  await sealEntries()
}

const logFailure = (error: unknown) => cds.log('audit').error('Sealing failed:', error)
