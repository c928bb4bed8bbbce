// A SKU at a location in words, without the leading zeros of SAP's codes.
sap.ui.define([], () => {
  const plain = (code) => String(code ?? '').replace(/^0+(?=\d+$)/, '')
  return ({ sku, location }) => [sku, location].filter(Boolean).map(plain).join(', ')
})
