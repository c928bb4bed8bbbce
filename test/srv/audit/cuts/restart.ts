// What a start of the service, and its first rounds, say about the database of CDS_CONFIG: prints it as JSON.
// Its argument is the file of the compiled model.
import { readFileSync } from 'node:fs'
import path from 'node:path'

process.env.CDS_TYPESCRIPT = 'true'
const { default: cds } = await import('@sap/cds')
cds.root = path.resolve(import.meta.dirname, '../../../..')
const csn = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { $sources?: string[] }
cds.model = cds.compile.for.nodejs(csn)
// Texts are looked for beside them.
csn.$sources = cds.model!.$sources = [path.join(cds.root, 'db', 'index.cds')]
await cds.connect.to('db')
const { anchorWorker } = await import('../../../../srv/domain/audit/anchor.ts')
const { prepareHead, readHead } = await import('../../../../srv/domain/audit/seal.ts')
const { sealEntries } = await import('../../../../srv/domain/audit/seal.ts')
const { AuditLog } = await import('../../../../srv/base/database/entities.ts')
const { verifyTrail } = await import('../../../../srv/domain/audit/verify.ts')
const { noteFound, readAlarms } = await import('../../../../srv/domain/audit/watch.ts')

await prepareHead()
const sealed = await sealEntries().catch(({ message }: Error) => message)
const { valid, broken } = await verifyTrail({})
noteFound(broken)
const alarms = await readAlarms()
await anchorWorker.stop()
const begun = await cds.ql.SELECT.from(AuditLog).where({ action: 'audit.anchor_begun' })
const seq = (await readHead())?.seq
process.stdout.write(
  `\n${JSON.stringify({ valid, broken, sealed, alarms, begun: begun.length, seq })}\n`,
)
await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
