import { Command } from 'commander'
import { verifyCommand } from './verify.ts'

/** `restock tasks …` */
export function tasksCommand(): Command {
  return new Command('tasks')
    .description("approval tasks in the ERP's own inbox")
    .addCommand(verifyCommand())
}
