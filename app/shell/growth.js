// What UI5 1.136 keeps of controls that are no more, and of those that it draws again: a tab that is open all day would
// only grow.
sap.ui.define(
  ['sap/fe/core/buildingBlocks/BuildingBlock', 'sap/m/MenuButton'],
  (BuildingBlock, MenuButton) => {
    const blocks = (BuildingBlock.default ?? BuildingBlock).prototype

    /** All building blocks of a class are kept to find one of them; each row of a table has some, and new ones when it is read anew. */
    function forgetWhenDestroyed() {
      const { destroy } = blocks
      blocks.destroy = function (...given) {
        const kept = this.constructor.instanceMap?.get(this.constructor)
        if (kept?.includes(this)) kept.splice(kept.indexOf(this), 1)
        return destroy.apply(this, given)
      }
    }

    /** Until their page ends, they are kept by what they would do then. */
    function endWithoutPage() {
      const begin = blocks._checkIfMetadataReady
      blocks._checkIfMetadataReady = function (...given) {
        const view = this.getPageController(false)?.getView()
        if (!view) return begin.apply(this, given)
        // What a block follows it leaves when it is destroyed, and so also when its page is.
        view.attachBeforeExit = () => view
        try {
          return begin.apply(this, given)
        } finally {
          delete view.attachBeforeExit
        }
      }
    }

    /** A button with a menu follows its menu once more each time it is drawn. */
    function followMenuOnce() {
      const follow = MenuButton.prototype._attachMenuEvents
      MenuButton.prototype._attachMenuEvents = function () {
        this.getMenu()?.detachClosed(this._menuClosed, this)
        this.getMenu()?.detachItemSelected(this._menuItemSelected, this)
        follow.call(this)
      }
    }

    return {
      mend() {
        forgetWhenDestroyed()
        endWithoutPage()
        followMenuOnce()
      },
    }
  },
)
