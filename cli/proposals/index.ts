import { Command } from 'commander'
import { approveCommand } from './approve.ts'
import { budgetCommand } from './budget.ts'
import { explainCommand } from './explain.ts'
import { exportCommand } from './export.ts'
import { listCommand } from './list.ts'
import { rejectCommand } from './reject.ts'

/** `restock proposals …` */
export function proposalsCommand(): Command {
  return new Command('proposals')
    .description('list, explain, approve, reject and export order proposals, and fill a budget')
    .addCommand(listCommand())
    .addCommand(budgetCommand())
    .addCommand(approveCommand())
    .addCommand(rejectCommand())
    .addCommand(explainCommand())
    .addCommand(exportCommand())
}
