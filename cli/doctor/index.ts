import type { Command } from 'commander'
import { openClient } from '../client.ts'
import { command, type Json, option } from '../command.ts'
import { count, print, printDocument } from '../output.ts'
import { compareCommand } from './compare.ts'
import type { Finding } from './finding.ts'
import { lookAtMachine } from './machine.ts'
import { lookAtKey, lookAtService, lookAtTrail } from './service.ts'
import { lookAtSources } from './sources.ts'

/** `restock doctor` */
export const doctorCommand = (): Command =>
  command({
    name: 'doctor',
    summary: 'look for what is wrong, from the disk to the rights in the ERP, and say the cure',
    examples: ['doctor', 'doctor --json'],
    options: [option('--json', 'print the findings as JSON')],
    run: examine,
  })
    .enablePositionalOptions()
    .addCommand(compareCommand())

async function examine({ json }: Json): Promise<void> {
  const findings = await findingsOf()
  const faults = findings.filter(({ status }) => status === 'failed').length
  if (faults) process.exitCode = 1
  if (json) return printDocument(JSON.stringify(findings, null, 2))
  findings.forEach(printFinding)
  const warnings = findings.filter(({ status }) => status === 'warning').length
  print(`${count(faults, 'fault')}, ${count(warnings, 'warning')}.`)
}

async function findingsOf(): Promise<Finding[]> {
  const findings = [...(await lookAtMachine()), ...(await lookAtService())]
  if (findings.some(({ status, check }) => status === 'failed' && check === 'Service')) {
    return findings
  }
  const client = openClient()
  const key = await lookAtKey(client)
  findings.push(key)
  if (key.status === 'failed') return findings
  return [...findings, ...(await lookAtTrail(client)), ...(await lookAtSources(client))]
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failed: 'FAULT  ' }

function printFinding({ status, check, message, cure }: Finding): void {
  print(`${MARKS[status]}  ${check}: ${message}`)
  if (cure) print(`         → ${cure}`)
}
