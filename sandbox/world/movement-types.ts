/** The movement type that reverses each movement type. */
export const CANCELS: Record<string, string> = {
  '601': '602',
  '201': '202',
  '221': '222',
  '251': '252',
  '261': '262',
  '541': '542',
  '551': '552',
  '631': '632',
  '641': '642',
  '651': '652',
  '653': '654',
  '101': '102',
  '122': '123',
}

/** Goods issues that are demand. */
export const ISSUES = ['601', '251', '201', '221', '261']

/** Goods receipts of purchase orders, their returns and cancellations: sign of the received quantity. */
export const RECEIPT_SIGNS: Record<string, number> = {
  ...{ '101': 1, '102': -1, '109': 1, '110': -1, '122': -1, '123': 1 },
}
