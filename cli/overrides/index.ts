import { Command } from 'commander'
import { addCommand } from './add.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'

/** `restock overrides …` */
export function overridesCommand(): Command {
  return new Command('overrides')
    .description('what planners say of coming demand instead of the forecast')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(removeCommand())
}
