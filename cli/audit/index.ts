import { Command } from 'commander'
import { verifyCommand } from './verify.ts'

/** `restock audit …` */
export function auditCommand(): Command {
  return new Command('audit').description('verify the audit trail').addCommand(verifyCommand())
}
