import { InvalidArgumentError } from 'commander'

/** A parser for `name=value`, which may be repeated. */
export function addOption(
  text: string,
  earlier: Record<string, string> = {},
): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be name=value.')
  }
  return { ...earlier, [name]: value }
}
