import { Command } from 'commander'
import { addCommand } from './add.ts'
import { holidaysCommand } from './holidays.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'

/** `restock plan …` */
export function planCommand(): Command {
  return new Command('plan')
    .description('what is planned: promotions, prices, events, holidays, closures')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(removeCommand())
    .addCommand(holidaysCommand())
}
