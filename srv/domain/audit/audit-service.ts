import cds, { type Request } from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { listTrail, type Page } from './list.ts'
import { prepareHead } from './head.ts'
import { redactEntries, type Redaction } from './redact.ts'
import { sealEntries } from './seal.ts'
import { type VerifyQuery, verifyTrail } from './verify.ts'
import { foundLast, noteFound, readAlarms, trailWorker } from './watch.ts'

export default class AuditService extends cds.ApplicationService {
  override init() {
    this.on('seal', () => runDetached('audit', sealEntries))
    this.on('verify', ({ data }: Request<VerifyQuery>) => runDetached('audit', () => verify(data)))
    this.on('alarms', () => readAlarms())
    this.on('redact', ({ data }: Request<Redaction>) => redactEntries(data))
    this.on('list', ({ data, user }: Request<Page>) => listTrail(data, user))
    return super.init()
  }
}

async function verify(query: VerifyQuery) {
  await prepareHead()
    .then(sealEntries)
    .catch((error: unknown) => cds.log('audit').error('Sealing failed:', error))
  const answer = await verifyTrail(query)
  if (answer.broken && answer.broken.problem !== 'head_not_found') noteFound(answer.broken)
  // What was found may be mended: the next look tells.
  else if (foundLast() && !answer.next) void trailWorker.wake()
  return { ...answer, alarm: foundLast() }
}
