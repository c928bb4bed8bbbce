import { Command } from 'commander'
import { valueCommand } from './value.ts'

/** `restock report …` */
export function reportCommand(): Command {
  return new Command('report').description('show the value of decisions').addCommand(valueCommand())
}
