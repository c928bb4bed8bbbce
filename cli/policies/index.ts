import { Command } from 'commander'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { setCommand } from './set.ts'

/** `restock policies …` */
export function policiesCommand(): Command {
  return new Command('policies')
    .description('ordering rules: how pairs are replenished')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(removeCommand())
}
