import { Command } from 'commander'
import { addCommand } from './add.ts'
import { changeCommand } from './change.ts'
import { deliveriesCommand } from './deliveries.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { replayCommand } from './replay.ts'
import { rotateCommand } from './rotate.ts'

/** `restock webhooks …` */
export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('addresses that events are sent to')
  for (const command of [
    ...[listCommand(), addCommand(), changeCommand(), removeCommand(), rotateCommand()],
    ...[deliveriesCommand(), replayCommand()],
  ]) {
    webhooks.addCommand(command)
  }
  return webhooks
}
