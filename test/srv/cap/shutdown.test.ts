import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { AuditHead, ProposalEvents } from '../../../srv/base/database/entities.ts'
import '../../support/server.ts'

const { INSERT, SELECT } = cds.ql

const ENTRIES = 5_000

const disconnect = () => (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()

it('ends what is under way before the connections close, and opens none afterwards', async () => {
  const at = new Date().toISOString()
  const entries = Array.from({ length: ENTRIES }, () => ({
    ...{ ID: randomUUID(), at, actor: 'somebody', via: 'system', event: 'created' },
    // None has this number.
    ...{ proposal: 0, version: 1 },
  }))
  // The sealer comes by every two seconds: it is at work, or about to be.
  await INSERT.into(ProposalEvents).entries(entries)
  const errors: unknown[] = []
  const LOG = cds.log('audit')
  const { error } = LOG
  LOG.error = (...told) => errors.push(told)
  await new Promise((resolve) => setTimeout(resolve, 2_200))
  await disconnect()
  LOG.error = error
  expect(errors).toEqual([])
  await expect(SELECT.from(AuditHead)).rejects.toThrow('The service has stopped')
  await expect(disconnect()).resolves.toBeUndefined()
})
