import { Command } from 'commander'
import { approveCommand } from './approve.ts'
import { exportCommand } from './export.ts'
import { listCommand } from './list.ts'
import { rejectCommand } from './reject.ts'

/** `restock proposals …` */
export function proposalsCommand(): Command {
  return new Command('proposals')
    .description('list, approve, reject and export order proposals')
    .addCommand(listCommand())
    .addCommand(approveCommand())
    .addCommand(rejectCommand())
    .addCommand(exportCommand())
}
