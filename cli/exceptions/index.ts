import { Command } from 'commander'
import { listCommand } from './list.ts'
import { settleCommand } from './settle.ts'

/** `restock exceptions …` */
export function exceptionsCommand(): Command {
  return new Command('exceptions')
    .description('list and settle what no order can mend')
    .addCommand(listCommand())
    .addCommand(settleCommand())
}
