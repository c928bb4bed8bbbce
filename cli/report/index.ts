import { Command } from 'commander'
import { serviceCommand } from './service.ts'
import { valueCommand } from './value.ts'

/** `restock report …` */
export function reportCommand(): Command {
  return new Command('report')
    .description('show the value of decisions, and what other service targets would mean')
    .addCommand(valueCommand())
    .addCommand(serviceCommand())
}
