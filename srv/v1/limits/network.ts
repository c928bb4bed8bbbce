import { isIPv6 } from 'node:net'

/**
 * What one caller can choose its address from: an IPv4 address, also as IPv6 writes it, or the first 64 bits of an IPv6
 * address, since that is what a customer is given at least (RFC 6177). Anything else stays as it is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  // A URL writes an address in one way only (RFC 5952), with an IPv4 address in it as hex.
  const groups = groupsOf(new URL(`http://[${plain}]`).hostname.slice(1, -1))
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return bytesOf(groups.slice(6)).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function groupsOf(address: string): number[] {
  const [before = '', after] = address.split('::')
  const parse = (part = '') => (part ? part.split(':').map((group) => parseInt(group, 16)) : [])
  const [first, last] = [parse(before), parse(after)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

const bytesOf = (groups: number[]) => groups.flatMap((group) => [group >> 8, group & 255])
