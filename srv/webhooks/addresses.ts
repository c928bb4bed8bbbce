// To which addresses an event may be sent: those of the public internet, and no others.
import { BlockList, isIP, isIPv6 } from 'node:net'

/** IANA IPv4 special-purpose address registry, multicast and reserved ranges included. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Within 2000::/3, the only global unicast addresses: protocol assignments and Teredo, documentation, 6to4. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const notPublic = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_V4) notPublic.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(net, prefix, 'ipv6')

const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an address in its usual text form is one of the public internet; an IPv4 one within IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) {
    return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
  }
  return isIP(address) === 4 && !notPublic.check(address, 'ipv4')
}

const LOCAL_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)$/

/** Whether a host name is one that only a local network knows. */
export const isLocalName = (host: string) =>
  !host.replace(/\.$/, '').includes('.') || LOCAL_NAMES.test(host.replace(/\.$/, ''))
