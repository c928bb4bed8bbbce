# Rscript ets.R IN OUT: one series a line of IN, oldest day first; P10, P50, P90 of the sum over 7, 28 and 90
# days a line of OUT, and after all of them the seconds of a core that fitting and simulating took.
suppressMessages(library(forecast))
set.seed(1)
args <- commandArgs(trailingOnly = TRUE)
horizons <- c(7, 28, 90)
paths <- 500

sums_of <- function(values) {
  fit <- ets(ts(values, frequency = 7))
  total <- replicate(paths, cumsum(simulate(fit, nsim = max(horizons), future = TRUE))[horizons])
  apply(total, 1, quantile, probs = c(.1, .5, .9), names = FALSE)
}

series <- lapply(strsplit(readLines(args[1]), ","), as.numeric)
start <- proc.time()
quantiles <- lapply(series, sums_of)
seconds <- (proc.time() - start)[["user.self"]]
lines <- vapply(quantiles, function(each) paste(pmax(0, round(each)), collapse = ","), "")
writeLines(c(lines, format(seconds)), args[2])
