// What today needs, in money, of what the user sees.
using { ProposalsService } from './reports';

extend service ProposalsService with {
  /** Of one currency. */
  type Amount {
    value    : String not null;          // decimal string
    currency : String;
  }

  /** Lines with their worth: one amount where today's rates lead to one currency, else one a currency. */
  type WorkSum {
    lines       : Integer not null;
    value       : array of Amount not null;
    valueAtRisk : array of Amount not null;   // what waiting with them costs
  }

  type ExceptionSum {
    kind  : String not null;             // of restock.ExceptionKinds
    count : Integer not null;
    value : array of Amount not null;
  }

  /** What a supplier's order needs by a day that comes. */
  type OrderDeadline : ProposalsService.OrderKey {
    day      : Date not null;            // the last order day of its lines
    lines    : Integer not null;
    value    : String not null;
  }

  type StockWorth {
    value       : array of Amount not null;
    withoutCost : Integer not null;      // pairs with stock and no unit cost: in no sum
  }

  /** How often there was stock, of pairs that are bought, by the days on which stock was read. */
  type StockReached {
    pairs    : Integer not null;
    days     : Integer not null;         // of the latest 28, of the source with most
    percent  : Double;                   // null while no stock was read
    emptyNow : Integer not null;         // pairs without stock at the latest read
  }

  /** P50 less demand in percent of demand, of the latest three months; pairs with regular demand alone. */
  type ForecastBias {
    percent  : Double;                   // null while nothing was measured
    windows  : Integer not null;
    ![from]  : Date;                     // the first day of the first and of the last month
    to       : Date;
    isReplay : Boolean not null;         // measured by forecasting the past anew
  }

  type TodaysWork {
    asOf       : Date not null;
    due        : WorkSum not null;       // pending, and their last order day is today or has passed
    open       : WorkSum not null;       // all pending ones
    stockout   : WorkSum not null;       // pending, and the stock ends before an order of today arrives
    second     : WorkSum not null;       // waiting for another person
    blocked    : Integer not null;
    exceptions : array of ExceptionSum not null;    // open ones, what is worth most first
    stock      : StockWorth not null;
    reached    : StockReached not null;
    bias       : ForecastBias not null;
  }

  function todaysWork() returns TodaysWork;

  /** What must be ordered on a later day, up to `days` ahead, the earliest first. */
  function deadlines(days : Integer) returns array of OrderDeadline;

  type OrderDays {
    supplier : String not null;
    location : String;
    next     : Date not null;
    after    : Date not null;
  }

  /** When these suppliers take orders, of those for which a rule names weekdays. */
  function orderDays(suppliers : array of { supplier : String; location : String; }) returns array of OrderDays;
}
