// What is not there: a proposal or an item that is gone gets the page that an unknown address has, instead of Fiori elements'
// own, which names neither what is wrong nor a way on.
sap.ui.define(['sap/m/InstanceManager', 'sap/ui/core/Messaging'], (InstanceManager, Messaging) => {
  const GONE = 'gone/'
  const KINDS = { Proposals: 'notFoundProposal', Items: 'notFoundItem' }

  return {
    follow(component) {
      component.rootControlLoaded().then((view) => {
        const root = view.getController()
        const { displayErrorPage } = root
        root.displayErrorPage = (title, given, ...rest) => {
          if (given?.errorType !== 'PageNotFound')
            return displayErrorPage.call(root, title, given, ...rest)
          const changer = component.getRouter().getHashChanger()
          Messaging.removeAllMessages()
          InstanceManager.closeAllDialogs()
          if (!changer.getHash().startsWith(GONE)) changer.replaceHash(GONE + changer.getHash())
          return Promise.resolve()
        }
      })
    },

    /** @param address the part behind `#/` */
    textsOf(bundle, address) {
      const [, kind] = /^gone\/([A-Za-z]+)\(/.exec(address) ?? []
      const said = KINDS[kind]
      return {
        title: bundle.getText('notFoundTitle'),
        text: said ? bundle.getText(said) : bundle.getText('notFoundPage', [address]),
      }
    },
  }
})
