import { Command } from 'commander'
import { approveCommand } from './approve.ts'
import { blockedCommand } from './blocked.ts'
import { budgetCommand } from './budget.ts'
import { cancelCommand } from './cancel.ts'
import { explainCommand } from './explain.ts'
import { exportCommand } from './export.ts'
import { historyCommand } from './history.ts'
import { listCommand } from './list.ts'
import { rejectCommand } from './reject.ts'
import { riskCommand } from './risk.ts'
import { showCommand } from './show.ts'
import { snoozeCommand } from './snooze.ts'

/** `restock proposals …` */
export function proposalsCommand(): Command {
  const proposals = new Command('proposals').description(
    'order proposals: what they are, why, at which risk; decide about them, export them',
  )
  for (const command of [
    ...[listCommand(), showCommand(), explainCommand(), riskCommand(), historyCommand()],
    ...[approveCommand(), rejectCommand(), snoozeCommand(), cancelCommand()],
    ...[blockedCommand(), budgetCommand(), exportCommand()],
  ]) {
    proposals.addCommand(command)
  }
  return proposals
}
