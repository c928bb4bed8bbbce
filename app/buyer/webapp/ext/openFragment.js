// A dialog of a fragment, with what it shows: whole on a phone, and gone once it is closed.
sap.ui.define(['sap/ui/Device', 'sap/ui/core/Fragment'], (Device, Fragment) => {
  /**
   * @param api of the page, for its texts
   * @param models of the fragment by their names
   * @param controller what its controls call
   */
  return async function openFragment(api, fragment, models, controller) {
    const dialog = await Fragment.load({ name: `restock.buyer.ext.${fragment}`, controller })
    dialog.setModel(api.getModel('i18n'), 'i18n')
    for (const [name, model] of Object.entries(models)) dialog.setModel(model, name)
    dialog.setStretch(Device.system.phone)
    dialog.attachAfterClose(() => dialog.destroy())
    dialog.open()
    return dialog
  }
})
